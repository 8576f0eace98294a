! Films a simulation in Fortran: two bodies on a circle. gfortran own_loop.f90 -lgravreel
program own_loop
  use, intrinsic :: iso_c_binding
  implicit none
  interface
    function gravreel_open(output, options) bind(c) result(film)
      import :: c_char, c_ptr
      character(kind=c_char), intent(in) :: output(*)
      type(c_ptr), intent(in) :: options(*)
      type(c_ptr) :: film
    end function
    function gravreel_bodies(film, time, bodies, mass, position, velocity) bind(c) result(code)
      import :: c_ptr, c_double, c_size_t, c_int
      type(c_ptr), value :: film
      real(c_double), value :: time
      integer(c_size_t), value :: bodies
      real(c_double), intent(in) :: mass(*), position(3, *), velocity(3, *)
      integer(c_int) :: code
    end function
    function gravreel_close(film) bind(c) result(code)
      import :: c_ptr, c_int
      type(c_ptr), value :: film
      integer(c_int) :: code
    end function
  end interface
  integer, parameter :: options_most = 6
  character(kind=c_char, len=16), target :: words(options_most - 1)
  type(c_ptr) :: film, options(options_most)
  real(c_double) :: x(3, 2), v(3, 2), mass(2), time, speed
  integer :: frame, i, code
  character(len=256) :: output

  output = "circle.mp4"
  if (command_argument_count() > 0) call get_command_argument(1, output)
  words = [character(kind=c_char, len=16) :: "--size" // c_null_char, "160x90" // c_null_char, &
           "--frames" // c_null_char, "20" // c_null_char, "-y" // c_null_char]
  do i = 1, options_most - 1
    options(i) = c_loc(words(i))
  end do
  options(options_most) = c_null_ptr
  film = gravreel_open(trim(output) // c_null_char, options)
  mass = 0.5d0
  speed = 0.5d0
  do frame = 0, 19
    time = 0.2d0 * frame
    x(:, 1) = [cos(time), sin(time), 0d0] * 0.5d0
    v(:, 1) = [-sin(time), cos(time), 0d0] * speed
    x(:, 2) = -x(:, 1)
    v(:, 2) = -v(:, 1)
    code = gravreel_bodies(film, time, 2_c_size_t, mass, x, v)
  end do
  code = gravreel_close(film)
  if (code /= 0) stop 1
end program
