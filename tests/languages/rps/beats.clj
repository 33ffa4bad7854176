; Beats the opponent's last move; begins with the seed modulo 3.
(println "beats-last in Clojure")
(flush)
(let [seed (Integer/parseInt (read-line))]
  (read-line)
  (loop [move (mod seed 3)]
    (println move)
    (flush)
    (when-let [line (read-line)]
      (recur (mod (inc (Integer/parseInt line)) 3)))))
