import {applicationNameOf} from './application-name.ts';
import type {BranchSetting} from './plans.ts';

/** The host name a branch is reached at: its own domain where it has one. */
export const hostnameOf = (setting: Pick<BranchSetting, 'site' | 'branch'>): string =>
  setting.branch.customDomains[0] ?? `${applicationNameOf(setting)}.${setting.site.domain}`;
