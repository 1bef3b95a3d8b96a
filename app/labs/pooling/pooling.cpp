#include "app/labs/pooling/page.h"
#include "app/labs/shared/knobs.h"
#include "app/labs/shared/papers.h"

namespace lab::pooling {
namespace {

void describe_data(Parameters& p, param::List& list) {
  list.group(N_("Data"));
  list.choice(p.source, "source", N_("Points from"),
              N_("y = 2 sin x + x^0.8 and noise, or points that you click into the plot, drag, and "
                 "take away with a right click"),
              {{"generated", N_("generated")}, {"points", N_("clicked")}},
              {.active = !p.from_file()});
  list.integer(
      p.n, "n", N_("Points n"),
      N_("So many pairs of a key x and a value y, x drawn evenly from 0 to 5"),
      {.min = 2, .max = kMostGenerated, .scale = param::Scale::log, .active = p.generated()});
  list.real(p.noise, "noise", N_("Noise"), N_("Standard deviation of what is added to y"),
            {.min = 0, .max = 2, .step = 0.05, .active = p.generated()});
  describe_seed(p.seed, N_("Chooses the random keys and the noise"), list, p.generated());
  list.points({&p.points, kMostPoints, 0, kSpan, kLowest, kHighest}, "points", N_("Clicked points"),
              N_("Pairs x,y with spaces between them; a click into the plot adds one"),
              {.active = p.clicked()});
  list.file(p.file, "file", N_("Points from a file"),
            N_("Columns of numbers, two or more, with or without a header; comma, semicolon or tab "
               "between them. Drop the file on the window"),
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
      N_("All alike; by a kernel of the distance from query to key; or by a Gaussian whose width "
         "is learned"),
      {{"average", N_("average")}, {"kernel", N_("kernel")}, {"parametric", N_("learnable w")}});
  list.choice(p.kernel, "kernel", N_("Kernel K(u)"),
              N_("How weight falls with the distance u in bandwidths"),
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
  list.real(p.w0, "w0", N_("w before"), N_("Where training begins; a width of 1 / |w|"),
            {.min = -20, .max = 20, .step = 0.05, .active = active});
  list.real(p.rate, "rate", N_("Learning rate"),
            N_("A step takes away the rate times the slope of the loss"),
            {.min = kLeastRate,
             .max = 1e9,
             .scale = param::Scale::log,
             .slides_to = 100,
             .active = active});
  list.integer(p.change_at, "change_at", N_("Changes at"),
               N_("The step from which the rate is another one: the steps before stay as they are, "
                  "so a training that was thrown out goes on from its last good step; 0: it never "
                  "changes"),
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
               N_("Steps in all; each looks at every point, predicted from all the others"),
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
               N_("Rows of the heatmap, evenly over the span of the keys"), {.min = 2, .max = 500});
  list.integer(
      p.query, "query", N_("Query"),
      N_("The row that is drawn on the points and taken apart; drag its disc along the curve"),
      {.min = 0, .max = p.queries - 1.0});
  const double keys = p.from_file() ? kMostRows : p.clicked() ? to_double(p.points.size()) : p.n;
  list.integer(p.key, "key", N_("Key"),
               N_("The point whose weight is taken apart, in order of x from 0; -1: none"),
               {.min = -1, .max = keys - 1, .unpinned = -1});
  list.choice(p.explained, "explain", N_("Explained"),
              N_("The prediction at the query, or the step of the training"),
              {{"prediction", N_("prediction")}, {"training", N_("training")}},
              {.active = p.trains()});
  describe_pool(p.pool, list);
}

std::vector<Preset> presets() {
  return {
      {"gaussian", N_("A query asks its neighbours"),
       N_("Nadaraya and Watson, 1964: keys near the query count more. With h = 1 the query at "
          "2.5 shares its weight among about 35 of the 50 points, and the curve follows the truth, "
          "but too flat."),
       ""},
      {"average", N_("Everyone alike"),
       N_("Average pooling: each of 50 keys has the weight 1/50, whatever the query. The curve is "
          "a level line: attention without looking."),
       "method=average | key=25"},
      {"narrow", N_("Too narrow"),
       N_("h = 0.02: the curve runs close to most points and learns the noise. Mostly "
          "one to three neighbours decide, and points left out are predicted worse than with h = "
          "0.3."),
       "bandwidth=0.02"},
      {"wide", N_("Too wide"),
       N_("h = 4: every key counts nearly alike, as more than 45 effective neighbours of 50 say at "
          "any query, and the curve lies within 0.2 of the plain average."),
       "bandwidth=4"},
      {"boxcar", N_("The boxcar counts heads"),
       N_("Within h all keys count alike, beyond it none: the curve jumps wherever a point enters "
          "or leaves the window."),
       "kernel=boxcar | bandwidth=0.5"},
      {"epanechnikov", N_("Epanechnikov's parabola"),
       N_("3/4 (1 - u²): the kernel with the least mean squared error as points grow many. It "
          "ends, yet the curve does not jump."),
       "kernel=epanechnikov | bandwidth=0.8"},
      {"triangular", N_("The triangle"),
       N_("1 - |u|: often taken for Epanechnikov's. The curve bends sharply where a key passes."),
       "kernel=triangular | bandwidth=0.8"},
      {"empty", N_("Nothing in reach"),
       N_("A kernel that ends and a small h: some queries have no key at all. Their weights are "
          "all 0, and the page says so."),
       "kernel=boxcar | bandwidth=0.08"},
      {"untrained", N_("Before training"),
       N_("The learnable w begins at 0.3, a bandwidth of 3.3: the rows of the heatmap are much "
          "alike. Press play under Step."),
       "method=parametric | step=0 | explain=training"},
      {"trained", N_("After five steps"),
       N_("With this seed gradient descent makes w fifteen times as large: rows sharpen to a "
          "diagonal, the loss falls to about a third."),
       "method=parametric | step=5"},
      {"runaway", N_("A rate too large"),
       N_("With the rate 20 the first step throws w so far that each point sees little but its "
          "nearest neighbour. The slope there is slight, and w creeps back for dozens of steps; as "
          "soon as it is small again it is thrown out once more: with this seed in step 37, so set "
          "epochs and step to 37."),
       "method=parametric | rate=20 | step=5 | explain=training"},
      {"lowered", N_("A rate that is lowered"),
       N_("With the rate 5 and this seed w is thrown past its best, comes back and then leaps from "
          "one side of it to the other. From step 14 on the rate is 0.5, and w comes to rest: this "
          "is why rates are lowered as training goes on. Set the step of the change to 0 to see it "
          "leap."),
       "method=parametric | rate=5 | change_at=14 | rate_after=0.5 | epochs=24 | step=24 | "
       "explain=training"},
      {"outlier", N_("One outlier"),
       N_("One point stands far above the rest. A weighted mean has no defence: it pulls the curve "
          "up as far as the kernel reaches. Drag the point."),
       "source=points | points=0.3,0.8 0.7,1.6 1.1,2.5 1.6,3.4 2,3.6 2.4,11 2.8,2.9 3.2,2.3 "
       "3.7,1.8 4.1,1.5 4.6,1.5 | bandwidth=0.3 | key=5 | query=24"},
      {"clicked", N_("Your own points"),
       N_("Click into the plot to add a point, drag it, take it away with a right click: the curve "
          "and every weight follow at once."),
       "source=points | bandwidth=0.35"},
      {"large", N_("A hundred thousand points"),
       N_("Each step of the training takes sums over all pairs of 100000 points, by a fast Gauss "
          "transform: weights below 3e-20 of the largest are left out, which changes predictions "
          "by less than 1e-11 of the largest value."),
       "n=100000 | method=parametric | loss=mean | rate=5 | epochs=40 | step=40"},
  };
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

Lab lab() {
  return {
      .id = "pooling",
      .title = N_("Pooling as regression"),
      .question = N_("How does a query turn pairs of keys and values into a prediction?"),
      .chapter = Chapter::where_attention_comes_from,
      .about = N_("Attention before it had the name: predict y at a place q from points (x, y) by "
                  "a mean of the values, each weighted by how far its key x is from the query. "
                  "Weigh all alike, by a kernel of some bandwidth, or learn the width by gradient "
                  "descent. Drag the query along the curve, click a point or a cell to see its "
                  "weight worked out, play the training, or click points of your own."),
      .sources = {papers::nadaraya_1964.at(N_("the estimator")),
                  papers::watson_1964.at(N_("the estimator")),
                  papers::epanechnikov_1969.at(N_("the kernel")),
                  papers::greengard_1991.at(N_("how very many points are summed"))},
      .presets = presets(),
      .make = live(describe, compute)};
}

}  // namespace lab::pooling
