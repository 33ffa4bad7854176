-- Beats the opponent's last move; begins with the seed modulo 3.
import System.IO

main :: IO ()
main = do
  hSetBuffering stdout LineBuffering
  putStrLn "beats-last in Haskell"
  seed <- readLn
  _ <- getLine
  play (seed `mod` 3)

play :: Int -> IO ()
play move = do
  print move
  over <- isEOF
  if over then return () else do
    other <- readLn
    play ((other + 1) `mod` 3)
