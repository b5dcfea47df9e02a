# Reference values from R for variance.py: mean squares from aov, components by REML from lme4 (equal to the analysis of
# variance in a balanced design whose estimates are all positive), and pass@k by visiting every draw.
#
#   Rscript tests/reference/variance.R > tests/reference/variance.json
#
# The data are made by arithmetic; tests/stats/test_variance.py makes the same ones.

suppressMessages(library(lme4))

# seeds x items x decodes, the last index fastest as in a numpy array
grid <- expand.grid(decode = 0:2, item = 0:6, seed = 0:4)
seed_effect <- c(3, -2, 1, 4, -5)
item_effect <- c(9, -4, 2, -7, 5, 0, -3)
both <- ((7 * grid$seed + 3 * grid$item + grid$seed * grid$item) %% 5) - 2
noise <- ((37 * seq_len(nrow(grid))) %% 11 - 5) / 3
grid$score <- 50 + seed_effect[grid$seed + 1] + item_effect[grid$item + 1] + both + noise
grid$s <- factor(grid$seed)
grid$i <- factor(grid$item)

squares <- function(fit) as.list(setNames(summary(fit)[[1]][["Mean Sq"]], trimws(rownames(summary(fit)[[1]]))))
reml <- function(formula, data) {
  control <- lmerControl(optCtrl = list(xtol_abs = 1e-12, ftol_abs = 1e-14))
  fit <- lmer(formula, data, control = control)
  parts <- as.data.frame(VarCorr(fit))
  c(as.list(setNames(parts$vcov, parts$grp)), se = sqrt(vcov(fit)[1, 1]))
}

one <- grid[grid$seed == 0, ]
runs <- aggregate(score ~ s + decode, grid, mean)

pass <- function(n, correct, k) {
  draws <- combn(n, k)
  at_least_one <- apply(draws, 2, function(d) any(d <= correct))
  all_right <- apply(draws, 2, function(d) all(d <= correct))
  list(at = mean(at_least_one), hat = mean(all_right))
}

out <- list(
  made_with = paste0(R.version.string, ", lme4 ", packageVersion("lme4")),
  crossed = list(squares = squares(aov(score ~ s * i, grid)), reml = reml(score ~ (1 | s) + (1 | i) + (1 | s:i), grid)),
  one_seed = list(squares = squares(aov(score ~ i, one)), reml = reml(score ~ (1 | i), one)),
  runs = list(squares = squares(aov(score ~ s, runs)), reml = reml(score ~ (1 | s), runs)),
  pass = lapply(0:6, function(correct) pass(6, correct, 3))
)

json <- function(x) {
  if (is.list(x)) {
    body <- vapply(x, json, "")
    if (is.null(names(x))) paste0("[", paste(body, collapse = ", "), "]")
    else paste0("{", paste0('"', names(x), '": ', body, collapse = ", "), "}")
  } else if (is.character(x)) paste0('"', x, '"')
  else trimws(formatC(x, digits = 15, format = "g"))
}
cat(json(out), "\n", sep = "")
