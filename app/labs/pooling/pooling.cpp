#include "app/labs/pooling/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/text/text.h"

namespace lab::pooling {
namespace {

void describe_data(Parameters& p, param::List& list) {
  list.group(N_("Data"));
  list.choice(p.source, "source", N_("Points from"),
              N_("y = 2 sin x + x^0.8 and noise, or your own points: click in the plot to add, "
                 "drag to move, right-click to remove"),
              {{"generated", N_("generated")}, {"points", N_("clicked")}},
              {.active = !p.from_file()});
  list.integer(
      p.n, "n", N_("Points n"),
      N_("The number of pairs of a key x and a value y, x uniform from 0 to 5"),
      {.min = 2, .max = kMostGenerated, .scale = param::Scale::log, .active = p.generated()});
  list.real(p.noise, "noise", N_("Noise"), N_("Standard deviation of the noise added to y"),
            {.min = 0, .max = 2, .step = 0.05, .active = p.generated()});
  describe_seed(p.seed, N_("Chooses the random keys and the noise"), list, p.generated());
  list.points({&p.points, kMostPoints, 0, kSpan, kLowest, kHighest}, "points", N_("Clicked points"),
              N_("Pairs x,y separated by spaces; a click in the plot adds one"),
              {.active = p.clicked()});
  list.file(p.file, "file", N_("Points from a file"),
            N_("Two or more columns of numbers, with or without a header, separated by comma, "
               "semicolon or tab. Drop the file on the window"),
            ".csv .tsv .txt");
  list.name(p.x_column, "x_column", N_("Keys x"), N_("The column of the file that holds the keys"),
            p.file, 0, {.active = p.from_file()});
  list.name(p.y_column, "y_column", N_("Values y"),
            N_("The column of the file that holds the values"), p.file, 1,
            {.active = p.from_file()});
}

void describe_pooling(Parameters& p, param::List& list) {
  list.group(N_("Pooling"));
  list.choice(
      p.method, "method", N_("Weights"),
      N_("All equal; by a kernel of the distance from query to key; or by a Gaussian whose width "
         "is learned"),
      {{"average", N_("average")}, {"kernel", N_("kernel")}, {"parametric", N_("learnable w")}});
  list.choice(p.kernel, "kernel", N_("Kernel K(u)"),
              N_("How the weight falls with the distance u, in bandwidths"),
              {{"gaussian", N_("Gaussian")},
               {"boxcar", N_("boxcar")},
               {"epanechnikov", N_("Epanechnikov")},
               {"triangular", N_("triangular")}},
              {.active = p.method == Method::kernel});
  list.real(p.bandwidth, "bandwidth", N_("Bandwidth h"),
            N_("The unit in which distances are measured: u = (q - x) / h"),
            {.min = 0.001,
             .max = 1000,
             .scale = param::Scale::log,
             .active = p.method == Method::kernel});
}

void describe_training(Parameters& p, param::List& list) {
  const bool active = p.trains();
  list.group(N_("Training"));
  list.real(p.w0, "w0", N_("w before"), N_("The initial w; a bandwidth of 1 / |w|"),
            {.min = -20, .max = 20, .step = 0.05, .active = active});
  list.real(p.rate, "rate", N_("Learning rate"),
            N_("A step subtracts the learning rate times the gradient of the loss"),
            {.min = kLeastRate,
             .max = 1e9,
             .scale = param::Scale::log,
             .slides_to = 100,
             .active = active});
  list.integer(
      p.change_at, "change_at", N_("Changes at step"),
      N_("The step from which the learning rate changes: earlier steps stay as they are, so a "
         "training that diverged goes on from its last good step; 0: it never changes"),
      {.min = 0,
       .max = kMostEpochs - 1.0,
       .slides_to = std::max(p.epochs - 1, 1),
       .active = active});
  list.real(p.rate_after, "rate_after", N_("Rate after"),
            N_("The learning rate of the steps from there on"),
            {.min = kLeastRate,
             .max = 1e9,
             .scale = param::Scale::log,
             .slides_to = 100,
             .active = p.uses_rate_after()});
  list.integer(p.epochs, "epochs", N_("Epochs"),
               N_("Steps in all; each uses every point, predicted from all the others"),
               {.min = 1, .max = kMostEpochs, .scale = param::Scale::log, .active = active});
  list.choice(p.loss, "loss", N_("Loss"),
              N_("Squared errors summed, so that more points make larger steps, or their mean"),
              {{"sum", N_("sum")}, {"mean", N_("mean")}}, {.active = active});
  list.integer(p.step, "step", N_("Step"), N_("Which step of the training is shown; 0: before it"),
               {.min = 0, .max = to_double(p.epochs), .active = active, .plays = 10});
}

void describe_looks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.integer(p.queries, "queries", N_("Queries"),
               N_("Rows of the heatmap, evenly spaced over the keys"), {.min = 2, .max = 500});
  list.integer(
      p.query, "query", N_("Query"),
      N_("The row that is drawn on the points and worked out; drag its disc along the curve"),
      {.min = 0, .max = p.queries - 1.0});
  const double keys = p.from_file() ? kMostRows : p.clicked() ? to_double(p.points.size()) : p.n;
  list.integer(p.key, "key", N_("Key"),
               N_("The point whose weight is worked out, in order of x from 0; -1: none"),
               {.min = -1, .max = keys - 1, .unpinned = -1});
  list.choice(p.explained, "explain", N_("Explained"),
              N_("The prediction at the query, or the step of the training"),
              {{"prediction", N_("prediction")}, {"training", N_("training")}},
              {.active = p.trains()});
  describe_pool(p.pool, list);
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_data(p, list);
  describe_pooling(p, list);
  describe_training(p, list);
  describe_looks(p, list);
  list.essential({"source", "n", "x_column", "y_column", "method", "kernel", "bandwidth", "rate",
                  "step", "query"});
}

Lab lab() { return from_text("pooling", live(describe, compute)); }

}  // namespace lab::pooling
