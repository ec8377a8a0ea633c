;; The packages of scripts/packages.txt as GNU Guix names them, for machines with Guix. In the folder of the project:
;;
;;     guix describe --format=channels >channels.scm                              once: the packages of which day
;;     guix time-machine -C channels.scm -- shell --pure -m configs/guix/manifest.scm -- make check
;;
;; The first file, kept beside results, is what makes the same packages again in five years, to the byte.
;;
;; Each pair is a package of Debian and what has its files in Guix. tests/make/test_setup.sh compares the left side with
;; scripts/packages.txt. The names on the right are those of Guix's sources; Guix itself was not at hand to try them.

(use-modules (srfi srfi-1))

(define packages
  '(("gcc" . "gcc-toolchain")
    ("libc6-dev" . "gcc-toolchain")
    ("clang" . "clang-toolchain")
    ("libomp-dev" . "clang-toolchain")
    ("clang-format" . "clang-toolchain")
    ("pkg-config" . "pkg-config")
    ("libgsl-dev" . "gsl")
    ("libhdf5-dev" . "hdf5")
    ("zlib1g-dev" . "zlib")
    ("libyaml-dev" . "libyaml")
    ("libgts-dev" . "gts")
    ("libmetis-dev" . "metis")
    ("gnuplot-nox" . "gnuplot")
    ("povray" . "povray")
    ("python3-matplotlib" . "python-matplotlib")
    ("python3-h5py" . "python-h5py")
    ("python3-numpy" . "python-numpy")
    ("python3-yaml" . "python-pyyaml")
    ("python3-pil" . "python-pillow")
    ("python3-jinja2" . "python-jinja2")
    ("python3-markdown" . "python-markdown")
    ("fonts-dejavu-core" . "font-dejavu")
    ("help2man" . "help2man")
    ("perl" . "perl")
    ("shellcheck" . "shellcheck")
    ("pyflakes3" . "python-pyflakes")))

;; What every Debian has, and what make setup is started with.
(define presupposed
  '("bash" "coreutils" "diffutils" "findutils" "gawk" "git" "grep" "gzip" "make" "procps" "python" "sed" "tar" "util-linux"))

(specifications->manifest (delete-duplicates (append presupposed (map cdr packages))))
