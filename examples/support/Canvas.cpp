// SPDX-FileCopyrightText: 2026 The KokkosStencil authors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Canvas.hpp"

#include <cairo.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace example {

namespace {

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) {
    throw std::runtime_error(std::string("a picture cannot be drawn (Cairo: ") + cairo_status_to_string(status) + ")");
  }
}

struct Release {
  void operator()(cairo_surface_t* s) const { cairo_surface_destroy(s); }
  void operator()(cairo_t* c) const { cairo_destroy(c); }
};
using Surface = std::unique_ptr<cairo_surface_t, Release>;
using Context = std::unique_ptr<cairo_t, Release>;

Surface make_surface(int width, int height) {
  Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  check(cairo_surface_status(surface.get()));
  return surface;
}

/// The pixels of a row, as 0xRRGGBB.
std::uint32_t* row(cairo_surface_t* surface, int y) {
  std::ptrdiff_t const stride = cairo_image_surface_get_stride(surface);
  // Cairo aligns its rows.
  return reinterpret_cast<std::uint32_t*>(static_cast<void*>(cairo_image_surface_get_data(surface) + y * stride));
}

}  // namespace

struct Canvas::Cairo {
  Color paper;
  Surface surface;
  Context context;

  cairo_t* operator()() const { return context.get(); }
  void use(Color c) const { cairo_set_source_rgb(context.get(), c.r / 255.0, c.g / 255.0, c.b / 255.0); }
  void use_font(bool bold, double size) const {
    cairo_select_font_face(context.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                           bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(context.get(), size);
  }
};

Canvas::Canvas(int width, int height, Color paper) : m_cairo(std::make_unique<Cairo>()) {
  m_cairo->paper   = paper;
  m_cairo->surface = make_surface(width, height);
  m_cairo->context.reset(cairo_create(m_cairo->surface.get()));
  fill({0, 0, width, height}, paper);
}

Canvas::~Canvas() = default;

void Canvas::fill(Box const& box, Color color) {
  m_cairo->use(color);
  cairo_rectangle((*m_cairo)(), box.x, box.y, box.width, box.height);
  cairo_fill((*m_cairo)());
}

void Canvas::frame(Box const& box, Color color) {
  m_cairo->use(color);
  cairo_set_line_width((*m_cairo)(), 1.0);
  cairo_rectangle((*m_cairo)(), box.x + 0.5, box.y + 0.5, box.width - 1.0, box.height - 1.0);
  cairo_stroke((*m_cairo)());
}

void Canvas::line(std::vector<Point> const& points, Color color, double width, bool dashed) {
  double const dashes[] = {6.0, 6.0};
  m_cairo->use(color);
  cairo_set_line_width((*m_cairo)(), width);
  cairo_set_line_join((*m_cairo)(), CAIRO_LINE_JOIN_ROUND);
  cairo_set_dash((*m_cairo)(), dashes, dashed ? 2 : 0, 0.0);
  for (Point const& p : points) cairo_line_to((*m_cairo)(), p.x, p.y);
  cairo_stroke((*m_cairo)());
  cairo_set_dash((*m_cairo)(), nullptr, 0, 0.0);
}

void Canvas::disc(Point const& centre, double radius, Color color) {
  constexpr double turn = 6.283185307179586;
  m_cairo->use(color);
  cairo_new_path((*m_cairo)());
  cairo_arc((*m_cairo)(), centre.x, centre.y, radius, 0.0, turn);
  cairo_fill((*m_cairo)());
}

double Canvas::width_of(std::string const& words, bool bold, double size) {
  m_cairo->use_font(bold, size);
  cairo_text_extents_t extents;
  cairo_text_extents((*m_cairo)(), words.c_str(), &extents);
  return extents.x_advance;
}

double Canvas::text(double x, double y, std::string const& words, Color color, Align align, bool bold, double size) {
  double const width = width_of(words, bold, size);
  cairo_font_extents_t font;
  cairo_font_extents((*m_cairo)(), &font);
  double const left = align == Align::left ? x : align == Align::right ? x - width : x - width / 2.0;
  // Letters are sharpest where their baseline lies between two rows of pixels.
  double const baseline = std::round(y + font.ascent);
  // A rim in the paper's colour keeps them apart from lines beneath.
  cairo_move_to((*m_cairo)(), left, baseline);
  cairo_text_path((*m_cairo)(), words.c_str());
  m_cairo->use(m_cairo->paper);
  cairo_set_line_width((*m_cairo)(), 3.0);
  cairo_stroke((*m_cairo)());
  cairo_move_to((*m_cairo)(), left, baseline);
  m_cairo->use(color);
  cairo_show_text((*m_cairo)(), words.c_str());
  cairo_new_path((*m_cairo)());
  return width;
}

void Canvas::text_upwards(double x, double y, std::string const& words, Color color) {
  cairo_save((*m_cairo)());
  cairo_translate((*m_cairo)(), x, y);
  cairo_rotate((*m_cairo)(), -1.5707963267948966);
  text(0.0, 0.0, words, color, Align::center);
  cairo_restore((*m_cairo)());
}

void Canvas::paste(int x, int y, Image const& picture) {
  Surface const pixels = make_surface(picture.width, picture.height);
  cairo_surface_flush(pixels.get());
  for (int v = 0; v < picture.height; ++v) {
    std::uint32_t* const to = row(pixels.get(), v);
    for (int h = 0; h < picture.width; ++h) {
      Color const c = picture.at(h, v);
      to[h]         = (std::uint32_t(c.r) << 16) | (std::uint32_t(c.g) << 8) | c.b;
    }
  }
  cairo_surface_mark_dirty(pixels.get());
  cairo_set_source_surface((*m_cairo)(), pixels.get(), x, y);
  cairo_paint((*m_cairo)());
}

Image Canvas::image() const {
  cairo_surface_t* const surface = m_cairo->surface.get();
  check(cairo_status((*m_cairo)()));
  cairo_surface_flush(surface);
  Image image(cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface));
  for (int y = 0; y < image.height; ++y) {
    std::uint32_t const* const from = row(surface, y);
    for (int x = 0; x < image.width; ++x) {
      image.at(x, y) = {static_cast<std::uint8_t>(from[x] >> 16), static_cast<std::uint8_t>(from[x] >> 8),
                        static_cast<std::uint8_t>(from[x])};
    }
  }
  return image;
}

}  // namespace example
