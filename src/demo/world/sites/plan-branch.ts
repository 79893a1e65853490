import type {BranchPlan, BranchSetting, Course, SitePaths} from '../plan/plans.ts';
import type {LogShape, Roster} from '../seed/log-source.ts';
import {dayMs, hourMs} from '../seed/random.ts';
import {createTrafficSource} from '../traffic/traffic-source.ts';

export const shopPaths: SitePaths = {
  landings: ['/', '/shop/', '/product/{n}', '/product/{n}'],
  pages: [
    '/',
    '/',
    '/shop/',
    '/shop/page/2/',
    '/shop/page/3/',
    '/product/{n}',
    '/product/{n}',
    '/product/{n}',
    '/cart',
    '/checkout',
    '/account/orders',
  ],
  assets: [
    '/wp-content/themes/market/style.css?ver=4.2',
    '/wp-content/themes/market/js/app.min.js?ver=4.2',
    '/wp-content/uploads/products/{n}-thumb.webp',
    '/wp-content/uploads/products/{n}-large.webp',
    '/wp-content/plugins/till/js/basket.js?ver=2.9.1',
    '/favicon.ico',
  ],
  api: [
    '/wp-json/till/v1/basket',
    '/wp-json/till/v1/stock/{n}',
    '/wp-json/till/v1/shipping?country=DE',
    '/wp-admin/admin-ajax.php?action=till_mini_basket',
  ],
  posts: ['/cart', '/cart', '/checkout', '/wp-json/till/v1/basket/items', '/wp-cron.php?doing_wp_cron'],
};

export const magazinePaths: SitePaths = {
  landings: ['/', '/issue/{n}', '/article/{n}', '/article/{n}', '/feed.xml'],
  pages: [
    '/',
    '/issue/{n}',
    '/article/{n}',
    '/article/{n}',
    '/author/{n}',
    '/topics/travel',
    '/topics/food',
    '/feed.xml',
  ],
  assets: ['/build/app.css', '/build/app.js', '/media/{n}/cover.jpg', '/media/{n}/teaser.webp', '/fonts/text.woff2'],
  api: ['/api/related/{n}', '/api/comments?article={n}', '/api/newsletter/status'],
  posts: ['/api/comments', '/newsletter', '/login'],
};

export const bookingPaths: SitePaths = {
  landings: ['/', '/rooms', '/rooms/{n}'],
  pages: ['/', '/calendar', '/calendar/week/{n}', '/rooms/{n}', '/rooms', '/bookings', '/help'],
  assets: ['/build/app.css', '/build/app.js', '/img/rooms/{n}.jpg', '/fonts/text.woff2'],
  api: ['/api/slots?week={n}', '/api/rooms/{n}/free', '/api/me'],
  posts: ['/bookings', '/api/slots/{n}/hold', '/login'],
};

/** Lines in a window of the demo: minutes of a busy branch. */
export const windowLinesMax = 1000;

/** A branch that stays in a status. */
export const settled = (status: string, podsRun = true): Course => ({kind: 'settled', status, podsRun});

/** A branch that is released again and again. Unless given, pods of an earlier release run, and none fails. */
export const released = (
  plan: Omit<Extract<Course, {kind: 'released'}>, 'kind' | 'podsRun' | 'failsEvery'> & {
    readonly podsRun?: boolean;
    readonly failsEvery?: number;
  },
): Course => ({kind: 'released', podsRun: true, failsEvery: 0, ...plan});

export const deployed = settled('DEPLOY_APPLICATION_SUCCESS');
export const unbuilt: Course = {kind: 'unbuilt'};

/**
 * Creates a log of a working day's traffic with this many events a second at its peak, and an incident at this
 * interval; 0 for never.
 */
export const trafficLog =
  (peakPerSecond: number, incidentEveryMs: number = 0) =>
  (setting: BranchSetting & {readonly roster: Roster}): LogShape => ({
    windowLinesMax,
    cutBySource: false,
    sources: [createTrafficSource({setting, roster: setting.roster, peakPerSecond, lateShare: 0.004, incidentEveryMs})],
  });

/** Plans an ordinary branch: a feature created from master some days ago, one pod, occasional visitors. */
export const planBranch = (plan: Pick<BranchPlan, 'name' | 'course'> & Partial<BranchPlan>): BranchPlan => ({
  branchType: 'FEATURE',
  originBranch: 'master',
  replicas: 1,
  madeAgoMs: 9 * dayMs,
  changedAgoMs: 3 * dayMs,
  customDomains: [],
  locked: false,
  editor: false,
  shapeLog: trafficLog(0.4),
  ...plan,
});

/** Plans a site's master: deployed, two pods, its own domains. */
export const planMaster = (plan: Partial<BranchPlan>): BranchPlan =>
  planBranch({
    name: 'master',
    branchType: 'MASTER',
    originBranch: '',
    course: deployed,
    replicas: 2,
    madeAgoMs: 412 * dayMs,
    changedAgoMs: 2 * hourMs,
    shapeLog: trafficLog(2),
    ...plan,
  });
