/// Values of a rank at one location, on the device, and the licence to gather from them.
#pragma once

#include <vector>

#include "base/error.hpp"
#include "field/expression.hpp"
#include "mesh/local_mesh.hpp"

namespace solenoid {

/// One T (a real, a float, or a struct of reals such as Vec3) per local entity at L: the owned ones, then halo copies
/// with the values of the last exchange. `x = <formula>` evaluates the formula at the owned entities in one kernel. A
/// field refers to a layout: the mesh's at L, or another one with the same entity type.
template <class L, class T = real>
class Field {
 public:
  using location = L;
  using value_type = T;

  /// All values start as zero, including the halo.
  explicit Field(const LocalMesh& mesh) : Field(mesh.layout<L>()) { mesh_ = &mesh; }
  explicit Field(const Layout& layout) : layout_(&layout), values_(std::vector<T>(layout.total())) {}
  /// Initialised with these owned values.
  Field(const LocalMesh& mesh, const std::vector<T>& owned_values) : Field(mesh) { from_host(owned_values); }
  Field(const Layout& layout, const std::vector<T>& owned_values) : Field(layout) { from_host(owned_values); }
  Field(Field&&) noexcept = default;
  Field& operator=(Field&&) noexcept = default;

  const Layout& layout() const { return *layout_; }
  /// The mesh of the values at L. Throws if they refer to another layout.
  const LocalMesh& mesh() const {
    require(mesh_ != nullptr, [] { return message("these values at {}s stand on a layout of no mesh", L::name); });
    return *mesh_;
  }
  int owned() const { return layout_->owned(); }
  int total() const { return layout_->total(); }

  /// Write access: marks the halo copies on other ranks as out of date.
  View<L, T> view() { return ++version_, View<L, T>{values_.data()}; }
  /// Read access to owned values. Gathering from neighbours requires an Exchanged.
  View<L, const T> view() const { return {values_.data()}; }

  template <class E>
  Field& operator=(const Expression<L, E>& formula);  // field/assign.hpp, for files that launch kernels

  void copy_from(const Field& other) { copy_on_device(view().data, other.values_.data(), sizeof(T) * owned()); }
  /// Sets the owned values.
  void from_host(std::span<const T> owned_values) {
    require(static_cast<int>(owned_values.size()) == owned(),
            [&] { return message("{} values were given for {} owned {}s", owned_values.size(), owned(), L::name); });
    ++version_;
    values_.from_host(owned_values);
  }
  /// The owned values.
  std::vector<T> to_host() const {
    std::vector<T> host(owned());
    copy_to_host(host.data(), values_.data(), sizeof(T) * host.size());
    return host;
  }
  /// The owned values and the halo copies of the last exchange.
  std::vector<T> all_to_host() const { return values_.to_host(); }

  /// Number of write accesses; Exchanged compares it in checked builds.
  long version() const { return version_; }

 private:
  template <class, class>
  friend class Exchange;
  T* storage() { return values_.data(); }

  const Layout* layout_;
  const LocalMesh* mesh_ = nullptr;  // nullptr: another layout than the mesh's
  DeviceArray<T> values_;
  long version_ = 0;
};

template <class L, class T>
auto operand(const Field<L, T>& field) {
  return expression::make<L>(expression::Read<L, T>{field.view().data});
}

/// Proof that a field's halo is up to date; required by incidences and by kernels that read neighbours. In checked
/// builds, reading through it throws once the field has changed.
template <class L, class T = real>
class Exchanged {
 public:
  View<L, const T> view() const {
#ifdef SOLENOID_CHECKED
    require(field_->version() == version_, [] {
      return message(
          "values at {}s were changed after their halo exchange and are about to be gathered: exchange them again",
          L::name);
    });
#endif
    return field_->view();
  }
  const Field<L, T>& field() const { return *field_; }
  const Layout& layout() const { return field_->layout(); }
  const LocalMesh& mesh() const { return field_->mesh(); }

 private:
  template <class, class>
  friend class Exchange;
  explicit Exchanged(const Field<L, T>& field) : field_(&field), version_(field.version()) {}

  const Field<L, T>* field_;
  long version_;
};

/// A halo exchange in two halves: work on owned values fits in between.
template <class L, class T = real>
class Exchange {
 public:
  void start(Field<L, T>& field) {
    field_ = &field;
    version_ = field.version();
    field.layout().exchange().start(field.storage());
  }
  /// Throws in checked builds if the field changed during the exchange.
  Exchanged<L, T> finish() {
    field_->layout().exchange().finish();
#ifdef SOLENOID_CHECKED
    require(field_->version() == version_,
            [] { return message("values at {}s were changed during their halo exchange", L::name); });
#endif
    return Exchanged<L, T>(*field_);
  }

 private:
  Field<L, T>* field_ = nullptr;
  long version_ = 0;
};

/// Refreshes the halo of `field` from its owners. Collective.
template <class L, class T>
Exchanged<L, T> halo(Field<L, T>& field) {
  Exchange<L, T> exchange;
  exchange.start(field);
  return exchange.finish();
}

/// An incidence times exchanged values. `mesh.D * u` without an exchange does not compile.
template <class To, class From, class T>
auto operator*(const Incidence<To, From>& table, const Exchanged<From, T>& values) {
  return expression::make<To>(
      expression::Gather<To, From, T>{table.view(), table.sliced(), values.view(), table.bytes(),
                                      static_cast<std::int64_t>(sizeof(T)) * values.layout().total()});
}

/// In 2D edges are nodes seen end-on: the only legal change of location.
template <class T>
View<Node, T> as_nodes(const LocalMesh& mesh, View<Edge, T> edges) {
  require(mesh.dimension() == 2, [] { return "edges are nodes in 2D only"; });
  return {edges.data};
}

}  // namespace solenoid
