! Beats the opponent's last move; begins with the seed modulo 3.
program beats
  implicit none
  integer :: seed, rounds, move, other, status
  print '(a)', 'beats-last in Fortran'
  flush (6)
  read *, seed
  read *, rounds
  move = mod(seed, 3)
  do
    print '(i1)', move
    flush (6)
    read (*, *, iostat=status) other
    if (status /= 0) exit
    move = mod(other + 1, 3)
  end do
end program beats
