import System.Environment (getArgs)
import System.IO

main :: IO ()
main = do
  (mark : _) : _ <- getArgs
  mapM_ (`hSetBinaryMode` True) [stdin, stdout]
  arena <- getContents
  let (before, rest) = break (== '-') arena
  putStr (before ++ take (length rest) (mark : drop 1 rest))
