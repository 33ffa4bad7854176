; Beats the opponent's last move; begins with the seed modulo 3.
(defun say (thing)
  (format t "~a~%" thing)
  (finish-output))

(say "beats-last in Common Lisp")
(let ((seed (read)) (rounds (read)))
  (declare (ignore rounds))
  (loop for move = (mod seed 3) then (mod (1+ other) 3)
        for other = (progn (say move) (read *standard-input* nil))
        while other))
