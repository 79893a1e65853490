import {createSampleBackend, listSampleSites} from '#demo/world/sample-backend.ts';
import type {ScenarioName} from '#demo/world/scenario-names.ts';
import type {BranchRecord, ServedWindow} from '#service/backend/backend.ts';

/** The demo's start in these tests: 21 November 2026, 14:12:05 UTC. */
export const startMs = Date.UTC(2026, 10, 21, 14, 12, 5);

/** A scenario's backend with a clock that stands still until `goTo` moves it, milliseconds after the start. */
export const openSample = (scenario: ScenarioName, seed = 7) => {
  let nowMs = startMs;
  const backend = createSampleBackend({scenario, seed, now: () => nowMs});
  const siteId = listSampleSites(scenario)[0]?.id ?? '';
  const listBranches = async (id = siteId): Promise<readonly BranchRecord[]> => (await backend.listBranches(id)) ?? [];
  const branchNamed = async (name: string): Promise<BranchRecord> => {
    const branch = (await listBranches()).find(record => record.name === name);
    if (!branch) {
      throw new Error(`no branch ${name}`);
    }
    return branch;
  };
  const readWindow = async (name = 'master'): Promise<ServedWindow> => {
    const window = await backend.readWindow(siteId, (await branchNamed(name))._id);
    if (!window) {
      throw new Error(`no window of ${name}`);
    }
    return window;
  };
  return {
    backend,
    siteId,
    listBranches,
    branchNamed,
    readWindow,
    goTo: (demoMs: number) => {
      nowMs = startMs + demoMs;
    },
  };
};

/** The text of a line: all after the first space. */
export const textOf = (line: string): string => line.slice(line.indexOf(' ') + 1);

/** The timestamp of a line, as it stands. */
export const stampOf = (line: string): string => line.slice(0, line.indexOf(' '));
