import {applicationNameOf} from './application-name.ts';
import type {BranchSetting} from './plans.ts';

/** Returns the host name of a branch: its own domain if it has one. */
export const hostnameOf = (setting: Pick<BranchSetting, 'site' | 'branch'>): string =>
  setting.branch.customDomains[0] ?? `${applicationNameOf(setting)}.${setting.site.domain}`;
