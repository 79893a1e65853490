import type {BranchSetting} from '../world/plan/plans.ts';

/**
 * Returns the deployment name of a branch: site and branch in the characters that an orchestrator allows (RFC 1123,
 * section 2.1).
 */
export const applicationNameOf = ({site, branch}: Pick<BranchSetting, 'site' | 'branch'>): string =>
  `${site.name}-${branch.name}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replace(/-+$/, '');

/** Returns the host name of a branch: its own domain if it has one. */
export const hostnameOf = (setting: Pick<BranchSetting, 'site' | 'branch'>): string =>
  setting.branch.customDomains[0] ?? `${applicationNameOf(setting)}.${setting.site.domain}`;

/** Returns the orchestrator's namespace of a site. */
export const namespaceOf = ({site, siteId}: Pick<BranchSetting, 'site' | 'siteId'>): string =>
  `${site.name}-${siteId.slice(0, 6)}`;
