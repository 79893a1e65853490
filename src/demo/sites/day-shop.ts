import type {SitePlan} from '../plan/plans.ts';
import {shopCode} from '../plan/shop-code.ts';
import {dayMs, hourMs, minuteMs, secondMs} from '../seed/durations.ts';
import {deployed, planBranch, planMaster, trafficLog, unbuilt} from './plan-branch.ts';
import {shopPaths} from './site-paths.ts';

/** The day's first site. Master is released soon after the start, so that even a short visit shows it. */
export const dayShop: SitePlan = {
  name: 'shop',
  domain: 'shop.example',
  paths: shopPaths,
  code: shopCode,
  branches: [
    planMaster({
      course: {
        kind: 'released',
        podsRun: true,
        firstMs: 45 * secondMs,
        everyMs: 4 * minuteMs,
        lengthMs: 28 * secondMs,
        failsEvery: 0,
      },
      customDomains: ['www.shop.example', 'shop.example'],
      editor: true,
      shapeLog: trafficLog(5, 5 * minuteMs),
    }),
    planBranch({
      name: 'feature/checkout',
      course: {
        kind: 'released',
        podsRun: true,
        firstMs: 150 * secondMs,
        everyMs: 9 * minuteMs,
        lengthMs: 40 * secondMs,
        failsEvery: 2,
      },
      changedAgoMs: 5 * hourMs,
      editor: true,
      locked: true,
      shapeLog: trafficLog(1.2),
    }),
    planBranch({name: 'feature/new-theme', course: unbuilt, madeAgoMs: 5 * dayMs, changedAgoMs: 5 * dayMs}),
    planBranch({
      name: 'hotfix/cart',
      course: {
        kind: 'released',
        podsRun: false,
        firstMs: -20 * secondMs,
        everyMs: 7 * minuteMs,
        lengthMs: 110 * secondMs,
        failsEvery: 2,
      },
      madeAgoMs: 40 * minuteMs,
      changedAgoMs: 35 * minuteMs,
      shapeLog: trafficLog(0.8),
    }),
    planBranch({
      name: 'staging',
      course: {kind: 'settled', status: 'DEPLOY_APPLICATION_FAILED', podsRun: true},
      madeAgoMs: 380 * dayMs,
      changedAgoMs: 11 * minuteMs,
      customDomains: ['staging.shop.example'],
      locked: true,
      shapeLog: trafficLog(1.5),
    }),
    planBranch({
      name: 'release/4.2',
      course: deployed,
      replicas: 2,
      changedAgoMs: 26 * hourMs,
      shapeLog: trafficLog(2),
    }),
    planBranch({
      name: 'experiment/instant-search',
      course: {kind: 'settled', status: 'WAITING_FOR_QUOTA', podsRun: false},
      madeAgoMs: 30 * hourMs,
      changedAgoMs: 30 * hourMs,
    }),
    planBranch({
      name: 'feature/gift-cards',
      originBranch: 'release/4.2',
      course: {kind: 'settled', status: 'BUILD_APPLICATION_ERROR', podsRun: false},
      changedAgoMs: 4 * hourMs,
    }),
    planBranch({
      name: 'feature/loyalty-points',
      originBranch: 'feature/checkout',
      course: {
        kind: 'released',
        podsRun: false,
        firstMs: -50 * secondMs,
        everyMs: 11 * minuteMs,
        lengthMs: 125 * secondMs,
        failsEvery: 1,
      },
      changedAgoMs: 2 * dayMs,
    }),
    planBranch({name: 'feature/reviews', course: deployed, editor: true, changedAgoMs: 6 * dayMs}),
    planBranch({
      name: 'bugfix/vat-rounding',
      course: unbuilt,
      originBranch: 'release/4.2',
      madeAgoMs: 3 * hourMs,
      changedAgoMs: 3 * hourMs,
    }),
  ],
};
