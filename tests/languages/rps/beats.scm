; Beats the opponent's last move; begins with the seed modulo 3.
(define (say thing)
  (display thing)
  (newline)
  (force-output))

(define (play move)
  (say move)
  (let ((other (read)))
    (if (not (eof-object? other))
        (play (modulo (+ other 1) 3)))))

(say "beats-last in Scheme")
(let* ((seed (read)) (rounds (read)))
  (play (modulo seed 3)))
