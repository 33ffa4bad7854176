// Beats the opponent's last move; begins with the seed modulo 3.
module Beats

open System

let say (thing: obj) =
    Console.WriteLine thing
    Console.Out.Flush()

let rec play move =
    say (box move)
    match Console.ReadLine() with
    | null -> ()
    | line -> play ((int line + 1) % 3)

[<EntryPoint>]
let main _ =
    say "beats-last in F#"
    let seed = int (Console.ReadLine())
    Console.ReadLine() |> ignore
    play (seed % 3)
    0
