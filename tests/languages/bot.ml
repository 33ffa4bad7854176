let () =
  let arena = Bytes.create 528 in
  really_input stdin arena 0 528;
  (match Bytes.index_opt arena '-' with
   | Some vacant -> Bytes.set arena vacant Sys.argv.(1).[0]
   | None -> ());
  print_bytes arena
