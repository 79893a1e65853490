import {hourMs} from '../seed/durations.ts';
import type {BranchPlan} from '../world/plan/plans.ts';
import {deployed, planBranch, trafficLog, unbuilt} from '../world/sites/plan-branch.ts';

const esc = '\u001B';

/** Pods whose names would set the title, clear the screen, and reverse the reading direction. */
export const hostilePodNames: readonly string[] = [
  `shop-master-6d8f9c7b54-${esc}]0;owned\u0007x2vz4`,
  `shop-master-6d8f9c7b54-${esc}[2J\u009B31mk9q7w`,
  'shop-master-6d8f9c7b54-\u202Egnp.q8w\u2028tz',
];

/** Branches whose names and fields would do the same. */
export const hostileBranches: readonly BranchPlan[] = [
  planBranch({name: `feature/${esc}[2J${esc}[1;1Hclear`, course: deployed, shapeLog: trafficLog(0.3)}),
  planBranch({
    name: `title${esc}]0;owned\u0007`,
    course: deployed,
    originBranch: `ma${esc}[31mster`,
    shapeLog: trafficLog(0.3),
  }),
  planBranch({name: 'user-\u202Enimda\u202C', course: deployed, shapeLog: trafficLog(0.3)}),
  planBranch({name: 'two\nlines\r\u0085\u2028three', course: deployed, shapeLog: trafficLog(0.3)}),
  planBranch({name: `zalgo-${'\u0301\u0316'.repeat(100)}`, course: deployed, shapeLog: trafficLog(0.3)}),
  planBranch({name: 'null\u0000\u007F\uD83D\u200B\u{E0041}', course: unbuilt, changedAgoMs: 7 * hourMs}),
  planBranch({
    name: 'link',
    course: {
      kind: 'settled',
      status: `WAITING${esc}]8;;https://evil.example/${esc}\\_FOR_${esc}]8;;${esc}\\QUOTA`,
      podsRun: false,
    },
    customDomains: [`${esc}]52;c;cm0gLXJmIH4K\u0007.example`, 'a\u202Eb.example'],
  }),
  planBranch({name: `long-${'x'.repeat(3000)}`, course: deployed, shapeLog: trafficLog(0.3)}),
];
