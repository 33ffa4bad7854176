with Ada.Text_IO; use Ada.Text_IO;

--  Beats the opponent's last move; begins with the seed modulo 3.
procedure Beats is
   Move : Integer;
begin
   Put_Line ("beats-last in Ada");
   Flush;
   Move := Integer'Value (Get_Line) mod 3;
   Skip_Line;
   loop
      Put_Line (Character'Val (Character'Pos ('0') + Move) & "");
      Flush;
      Move := (Integer'Value (Get_Line) + 1) mod 3;
   end loop;
exception
   when End_Error => null;
end Beats;
