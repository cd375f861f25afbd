#include "run/report/quality.hpp"

#include "base/partial_sum.hpp"

namespace solenoid::report {

std::vector<QualityFigure> quality_of(const LocalMesh& mesh) {
  const Comm& comm = mesh.comm();
  std::vector<QualityFigure> figures;
  for (QualityMeasure& measure : measure_quality(mesh.part(), mesh.geometry())) {
    real worst = measure.ideal;
    PartialSum sum;
    std::int64_t beyond = 0;
    for (int c = 0; c < mesh.owned<Cell>(); ++c) {
      const real value = measure.value[c];
      if (measure.is_worse(value, worst)) worst = value;
      beyond += measure.is_beyond_limit(value);
      sum += value;
    }
    worst = measure.large_is_bad() ? comm.max(worst) : comm.min(worst);
    const real mean = total(comm, sum) / static_cast<real>(mesh.global_count<Cell>());
    measure.value.clear();
    figures.push_back({std::move(measure), worst, mean, comm.sum(beyond)});
  }
  return figures;
}

}  // namespace solenoid::report
