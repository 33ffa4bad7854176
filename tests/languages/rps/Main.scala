import scala.io.StdIn

// Beats the opponent's last move; begins with the seed modulo 3.
object Main {
  def main(args: Array[String]): Unit = {
    println("beats-last in Scala")
    var move = StdIn.readLine().toInt % 3
    StdIn.readLine()
    println(move)
    var line = StdIn.readLine()
    while (line != null) {
      println((line.toInt + 1) % 3)
      line = StdIn.readLine()
    }
  }
}
