/** The demo's scenarios, each with the line that `branchlog demo --help` shows for it. */
export const scenarioNames = {
  day: 'a working day: four sites, branches in every status, traffic in waves, now and then a deployment or an incident',
  perpod: 'a loud pod beside a quiet one, the window of each cut on its own',
  quiet: 'one line a minute',
  burst: 'long calm, and every 20 s a burst faster than any window: gaps',
  pods: 'a pod comes and one goes every 15 s',
  late: 'lines that arrive seconds late, hundreds on one timestamp, true copies',
  unicode: 'wide and combined characters, emoji, right-to-left text, very long lines',
  hostile: 'lines and names that try to take over the terminal',
  errors: 'a service that fails in turns: 500, 503, 429, 401, HTML, broken JSON, cut, stall',
} as const;

export type ScenarioName = keyof typeof scenarioNames;
