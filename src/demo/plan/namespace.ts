import type {BranchSetting} from './plans.ts';

/** Returns the orchestrator's namespace of a site. */
export const namespaceOf = ({site, siteId}: Pick<BranchSetting, 'site' | 'siteId'>): string =>
  `${site.name}-${siteId.slice(0, 6)}`;
