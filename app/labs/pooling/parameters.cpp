#include "app/labs/pooling/parameters.h"

#include <algorithm>

#include "app/labs/shared/knobs.h"

namespace lab::pooling {
namespace {

void describe_data(Parameters& p, param::List& list) {
  list.group(N_("Data"));
  list.choice(p.source, {{"generated", N_("generated")}, {"points", N_("clicked")}},
              {.id = "source",
               .label = N_("Points from"),
               .help = N_("y = 2 sin x + x^0.8 and noise, or points that you click into the plot, "
                          "drag, and take away with a right click"),
               .active = !p.from_file()});
  list.integer(p.n, {.id = "n",
                     .label = N_("Points n"),
                     .help = N_("So many pairs of a key x and a value y, x drawn evenly from 0 to "
                                "5"),
                     .min = 2,
                     .max = kMostGenerated,
                     .scale = param::Scale::log,
                     .active = p.generated()});
  list.real(p.noise, {.id = "noise",
                      .label = N_("Noise"),
                      .help = N_("Standard deviation of what is added to y"),
                      .min = 0,
                      .max = 2,
                      .step = 0.05,
                      .active = p.generated()});
  describe_seed(p.seed, N_("Chooses the random keys and the noise"), list, p.generated());
  list.points({&p.points, kMostPoints, 0, kSpan, kLowest, kHighest},
              {.id = "points",
               .label = N_("Clicked points"),
               .help = N_("Pairs x,y with spaces between them; a click into the plot adds one"),
               .active = p.clicked()});
  list.file(p.file, ".csv .tsv .txt",
            {.id = "file",
             .label = N_("Points from a file"),
             .help = N_("Two columns of numbers, x and y, with or without a header; comma, "
                        "semicolon or tab between them. Drop the file on the window")});
}

void describe_pooling(Parameters& p, param::List& list) {
  list.group(N_("Pooling"));
  list.choice(
      p.method,
      {{"average", N_("average")}, {"kernel", N_("kernel")}, {"parametric", N_("learnable w")}},
      {.id = "method",
       .label = N_("Weights"),
       .help = N_("All alike; by a kernel of the distance from query to key; or by a "
                  "Gaussian whose width is learned")});
  list.choice(p.kernel,
              {{"gaussian", N_("Gaussian")},
               {"boxcar", N_("boxcar")},
               {"epanechnikov", N_("Epanechnikov")},
               {"triangular", N_("triangular")}},
              {.id = "kernel",
               .label = N_("Kernel K(u)"),
               .help = N_("How weight falls with the distance u in bandwidths"),
               .active = p.method == Method::kernel});
  list.real(p.bandwidth, {.id = "bandwidth",
                          .label = N_("Bandwidth h"),
                          .help = N_("The unit in which distances are measured: u = (q - x) / h"),
                          .min = 0.001,
                          .max = 1000,
                          .scale = param::Scale::log,
                          .active = p.method == Method::kernel});
}

void describe_training(Parameters& p, param::List& list) {
  const bool active = p.trains();
  list.group(N_("Training"));
  list.real(p.w0, {.id = "w0",
                   .label = N_("w before"),
                   .help = N_("Where training begins; a width of 1 / |w|"),
                   .min = -20,
                   .max = 20,
                   .step = 0.05,
                   .active = active});
  list.real(p.rate, {.id = "rate",
                     .label = N_("Learning rate"),
                     .help = N_("A step takes away the rate times the slope of the loss"),
                     .min = 0.0001,
                     .max = 100,
                     .scale = param::Scale::log,
                     .active = active});
  list.integer(p.epochs, {.id = "epochs",
                          .label = N_("Epochs"),
                          .help = N_("Steps in all; each looks at every point, predicted from all "
                                     "the others"),
                          .min = 1,
                          .max = kMostEpochs,
                          .scale = param::Scale::log,
                          .active = active});
  list.choice(p.loss, {{"sum", N_("sum")}, {"mean", N_("mean")}},
              {.id = "loss",
               .label = N_("Loss"),
               .help = N_("Squared errors summed, so that more points make larger steps, or their "
                          "mean"),
               .active = active});
  list.integer(p.step, {.id = "step",
                        .label = N_("Step"),
                        .help = N_("Which step of the training is shown; 0: before it"),
                        .min = 0,
                        .max = static_cast<double>(p.epochs),
                        .active = active,
                        .plays = 10});
}

void describe_looks(Parameters& p, param::List& list) {
  list.group(N_("Look at"));
  list.integer(p.queries, {.id = "queries",
                           .label = N_("Queries"),
                           .help = N_("Rows of the heatmap, evenly over the span of the keys"),
                           .min = 2,
                           .max = 500});
  list.integer(p.query, {.id = "query",
                         .label = N_("Query"),
                         .help = N_("The row that is drawn on the points and taken apart; drag "
                                    "its disc along the curve"),
                         .min = 0,
                         .max = p.queries - 1.0});
  const double keys = p.from_file() ? kMostRows
                      : p.clicked() ? static_cast<double>(p.points.size())
                                    : p.n;
  list.integer(p.key, {.id = "key",
                       .label = N_("Key"),
                       .help = N_("The point whose weight is taken apart, in order of x from 0; "
                                  "-1: none"),
                       .min = -1,
                       .max = keys - 1,
                       .unpinned = -1});
  list.choice(p.explained, {{"prediction", N_("prediction")}, {"training", N_("training")}},
              {.id = "explain",
               .label = N_("Explained"),
               .help = N_("The prediction at the query, or the step of the training"),
               .active = p.trains()});
  describe_pool(p.pool, list);
}

}  // namespace

void describe(Parameters& p, param::List& list) {
  describe_data(p, list);
  describe_pooling(p, list);
  describe_training(p, list);
  describe_looks(p, list);
}

}  // namespace lab::pooling
