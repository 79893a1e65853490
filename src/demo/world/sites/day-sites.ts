import type {SitePlan} from '../plan/plans.ts';
import {portalCode, shopCode} from '../plan/site-code.ts';
import {dayMs, hourMs, minuteMs, secondMs} from '../seed/random.ts';
import {
  bookingPaths,
  deployed,
  magazinePaths,
  planBranch,
  planMaster,
  released,
  settled,
  shopPaths,
  trafficLog,
  unbuilt,
} from './plan-branch.ts';

/** The day's first site. Master is released soon after the start, so that even a short visit shows it. */
const dayShop: SitePlan = {
  name: 'shop',
  domain: 'shop.example',
  paths: shopPaths,
  code: shopCode,
  branches: [
    planMaster({
      course: released({firstMs: 45 * secondMs, everyMs: 4 * minuteMs, lengthMs: 28 * secondMs}),
      customDomains: ['www.shop.example', 'shop.example'],
      editor: true,
      shapeLog: trafficLog(5, 5 * minuteMs),
    }),
    planBranch({
      name: 'feature/checkout',
      course: released({firstMs: 150 * secondMs, everyMs: 9 * minuteMs, lengthMs: 40 * secondMs, failsEvery: 2}),
      changedAgoMs: 5 * hourMs,
      editor: true,
      locked: true,
      shapeLog: trafficLog(1.2),
    }),
    planBranch({name: 'feature/new-theme', course: unbuilt, madeAgoMs: 5 * dayMs, changedAgoMs: 5 * dayMs}),
    planBranch({
      name: 'hotfix/cart',
      course: released({
        podsRun: false,
        firstMs: -20 * secondMs,
        everyMs: 7 * minuteMs,
        lengthMs: 110 * secondMs,
        failsEvery: 2,
      }),
      madeAgoMs: 40 * minuteMs,
      changedAgoMs: 35 * minuteMs,
      shapeLog: trafficLog(0.8),
    }),
    planBranch({
      name: 'staging',
      course: settled('DEPLOY_APPLICATION_FAILED'),
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
      course: settled('WAITING_FOR_QUOTA', false),
      madeAgoMs: 30 * hourMs,
      changedAgoMs: 30 * hourMs,
    }),
    planBranch({
      name: 'feature/gift-cards',
      originBranch: 'release/4.2',
      course: settled('BUILD_APPLICATION_ERROR', false),
      changedAgoMs: 4 * hourMs,
    }),
    planBranch({
      name: 'feature/loyalty-points',
      originBranch: 'feature/checkout',
      course: released({
        podsRun: false,
        firstMs: -50 * secondMs,
        everyMs: 11 * minuteMs,
        lengthMs: 125 * secondMs,
        failsEvery: 1,
      }),
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

/** The sites of a working day. */
export const daySites: readonly SitePlan[] = [
  dayShop,
  {
    name: 'magazine',
    domain: 'magazine.example',
    paths: magazinePaths,
    code: portalCode,
    branches: [
      planMaster({
        course: released({firstMs: 3 * minuteMs, everyMs: 13 * minuteMs, lengthMs: 32 * secondMs, failsEvery: 3}),
        customDomains: ['www.magazine.example'],
        shapeLog: trafficLog(3, 7 * minuteMs),
      }),
      planBranch({name: 'issue-48', course: deployed, changedAgoMs: 50 * minuteMs, editor: true}),
      planBranch({name: 'issue-49', course: unbuilt, madeAgoMs: 2 * dayMs, changedAgoMs: 2 * dayMs}),
      planBranch({
        name: 'paywall',
        course: settled('DEPLOY_APPLICATION_FAILED'),
        changedAgoMs: 21 * hourMs,
      }),
      planBranch({name: 'archive', course: deployed, changedAgoMs: 200 * dayMs, madeAgoMs: 300 * dayMs}),
    ],
  },
  {
    name: 'booking',
    domain: 'booking.example',
    paths: bookingPaths,
    code: portalCode,
    branches: [
      planMaster({customDomains: ['rooms.booking.example'], replicas: 3, shapeLog: trafficLog(2.5, 11 * minuteMs)}),
      planBranch({
        name: 'develop',
        course: released({firstMs: 80 * secondMs, everyMs: 6 * minuteMs, lengthMs: 35 * secondMs, failsEvery: 2}),
      }),
      planBranch({name: 'feature/calendar-sync', course: unbuilt, madeAgoMs: 8 * hourMs, changedAgoMs: 8 * hourMs}),
      planBranch({name: 'feature/waiting-list', course: deployed, changedAgoMs: 19 * dayMs, madeAgoMs: 31 * dayMs}),
    ],
  },
  {
    name: 'handbook',
    domain: 'handbook.example',
    paths: magazinePaths,
    code: portalCode,
    branches: [
      planMaster({replicas: 1, changedAgoMs: 12 * dayMs, shapeLog: trafficLog(0.3)}),
      planBranch({name: 'drafts', course: deployed, editor: true, locked: true, shapeLog: trafficLog(0.1)}),
      planBranch({name: 'rewrite', course: unbuilt, madeAgoMs: 61 * dayMs, changedAgoMs: 61 * dayMs}),
    ],
  },
];
