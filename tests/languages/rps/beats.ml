(* Beats the opponent's last move; begins with the seed modulo 3. *)
let () =
  print_endline "beats-last in OCaml";
  let seed = read_int () in
  let _rounds = read_int () in
  let rec play move =
    print_endline (string_of_int move);
    match read_int () with
    | other -> play ((other + 1) mod 3)
    | exception End_of_file -> ()
  in
  play (seed mod 3)
