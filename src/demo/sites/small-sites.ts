import {portalCode} from '../plan/portal-code.ts';
import {dayMs, hourMs} from '../seed/durations.ts';
import type {BranchPlan, SitePlan} from '../world/plan/plans.ts';
import {shopCode} from '../world/plan/site-code.ts';
import {deployed, planBranch, planMaster, settled, unbuilt} from '../world/sites/plan-branch.ts';
import {magazinePaths, shopPaths} from './site-paths.ts';

/**
 * Plans two sites with a few calm branches around the one that matters: the first site's master, as the scenario needs
 * it.
 */
export const planSmallSites = (
  master: Partial<BranchPlan>,
  others: readonly BranchPlan[] = [],
): readonly SitePlan[] => [
  {
    name: 'shop',
    domain: 'shop.example',
    paths: shopPaths,
    code: shopCode,
    branches: [
      planMaster({customDomains: ['www.shop.example'], ...master}),
      planBranch({name: 'feature/checkout', course: deployed, changedAgoMs: 5 * hourMs}),
      planBranch({name: 'feature/new-theme', course: unbuilt, madeAgoMs: 5 * dayMs, changedAgoMs: 5 * dayMs}),
      planBranch({
        name: 'staging',
        course: settled('DEPLOY_APPLICATION_FAILED'),
        changedAgoMs: 20 * hourMs,
      }),
      ...others,
    ],
  },
  {
    name: 'magazine',
    domain: 'magazine.example',
    paths: magazinePaths,
    code: portalCode,
    branches: [
      planMaster({}),
      planBranch({name: 'issue-49', course: unbuilt, madeAgoMs: 2 * dayMs, changedAgoMs: 2 * dayMs}),
    ],
  },
];
