/// For output_test.py: reads a .pvd and every file it names with VTK; prints a line each: time, points, cells that
/// are no ghosts, arrays.
#include <vtkCallbackCommand.h>
#include <vtkCellData.h>
#include <vtkDataArray.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnsignedCharArray.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLDataElement.h>
#include <vtkXMLDataParser.h>
#include <vtkXMLPUnstructuredGridReader.h>

#include <cstdio>
#include <filesystem>
#include <string>

int main(int, char** argv) {
  const std::filesystem::path series = argv[1];
  vtkNew<vtkXMLDataParser> parser;
  parser->SetFileName(series.c_str());
  if (!parser->Parse()) return 1;
  bool complained = false;
  vtkNew<vtkCallbackCommand> listener;
  listener->SetClientData(&complained);
  listener->SetCallback([](vtkObject*, unsigned long, void* flag, void*) { *static_cast<bool*>(flag) = true; });
  vtkXMLDataElement* list = parser->GetRootElement()->FindNestedElementWithName("Collection");
  for (int i = 0; i < list->GetNumberOfNestedElements(); ++i) {
    vtkXMLDataElement* entry = list->GetNestedElement(i);
    const std::filesystem::path file = series.parent_path() / entry->GetAttribute("file");
    vtkNew<vtkXMLPUnstructuredGridReader> reader;
    reader->AddObserver(vtkCommand::ErrorEvent, listener);
    reader->SetFileName(file.c_str());
    reader->Update();
    vtkUnstructuredGrid* grid = reader->GetOutput();
    long long cells = grid->GetNumberOfCells();
    if (vtkUnsignedCharArray* ghost = grid->GetCellGhostArray()) {
      for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) cells -= ghost->GetValue(c) != 0;
    }
    std::printf("%s %lld %lld", entry->GetAttribute("timestep"), static_cast<long long>(grid->GetNumberOfPoints()),
                cells);
    vtkDataSetAttributes* const places[] = {grid->GetPointData(), grid->GetCellData()};
    for (vtkDataSetAttributes* data : places) {
      for (int k = 0; k < data->GetNumberOfArrays(); ++k) std::printf(" %s", data->GetArrayName(k));
    }
    std::printf("\n");
  }
  return complained ? 1 : 0;
}
