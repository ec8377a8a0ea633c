"""usage: pvpython --force-offscreen-rendering run_in_paraview.py RUN PICTURE.png [TIME]: a run in ParaView, as docs/paraview.md explains it

Opens RUN/frames.xmf, draws every particle as a sphere of its radius, colored by body, at TIME in seconds (the last frame if it is
left out), and says how many particles there are and which fields they have. Without a display: xvfb-run -a pvpython ...
"""

import os
import sys

from paraview import simple

SIZE = [1280, 720]
UPSTREAM = 2  # the field `state` of particles that take part is below: they are neither upstream of an inlet nor gone


def opened(folder):
    """The frames of a run, as one source with times."""
    path = os.path.join(os.path.abspath(folder), "frames.xmf")
    if not os.path.exists(path):
        sys.exit(f"run_in_paraview.py: there is no {path}; ms-simulate writes it beside the frames")
    return simple.Xdmf3ReaderS(FileName=[path])


def nearest(frames, wanted):
    times = list(frames.TimestepValues)
    return min(times, key=lambda time: abs(time - wanted)) if wanted is not None else times[-1]


def spheres(frames):
    """A sphere for every particle that takes part. In a frame all particles are one cell; ParaView chooses among cells. Its sphere
    has the diameter 1."""
    cells = simple.ConvertToPointCloud(Input=frames, CellGenerationMode="Vertex cells")
    here = simple.Threshold(Input=cells, Scalars=["POINTS", "state"], ThresholdMethod="Below Lower Threshold", LowerThreshold=UPSTREAM - 0.5)
    made = simple.Glyph(Input=here, GlyphType="Sphere", ScaleArray=["POINTS", "radius"], ScaleFactor=2.0, GlyphMode="All Points")
    made.GlyphType.ThetaResolution = made.GlyphType.PhiResolution = 12
    return here, made


def draw(source, time, picture):
    view = simple.CreateView("RenderView", ViewSize=SIZE, Background=[1, 1, 1], UseColorPaletteForBackground=0,
                             OrientationAxesVisibility=0, CameraParallelProjection=1)
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.AnimationTime = time
    shown = simple.Show(source, view)
    simple.ColorBy(shown, ("POINTS", "body"))
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [1, -3, 1], [0, 0, 0], [0, 0, 1]
    simple.Render(view)
    simple.ResetCamera(view)
    simple.SaveScreenshot(picture, view, ImageResolution=SIZE)


def main(folder, picture, time=None):
    frames = opened(folder)
    time = nearest(frames, None if time is None else float(time))
    frames.UpdatePipeline(time)
    here, source = spheres(frames)
    here.UpdatePipeline(time)
    fields = [frames.PointData[k].Name for k in range(len(frames.PointData))]
    print(f"{time:g} s: {here.GetDataInformation().GetNumberOfPoints()} of {frames.GetDataInformation().GetNumberOfPoints()} particles take part; "
          f"{', '.join(sorted(fields))}")
    draw(source, time, picture)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__.partition("\n")[0])
    main(*sys.argv[1:])
