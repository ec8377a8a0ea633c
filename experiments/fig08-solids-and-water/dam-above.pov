// From above and behind the wall, downstream, where its pieces go.
#version 3.7;
global_settings { assumed_gamma 1.0 }
background { rgb 1 }
camera {
  orthographic
  location <1.95, 0, 0.9> + 12 * vnormalize(<0.75, -1, 0.62>)
  sky z
  right -x * 2.9 * image_width / image_height  // ours is a right-handed world
  up y * 2.9
  look_at <1.95, 0, 0.9>
}
light_source { <25, -25, 25>, rgb 0.9 parallel point_at 0 }
light_source { <-5, -30, 10>, rgb 0.4 shadowless parallel point_at 0 }
#include "particles.inc"
