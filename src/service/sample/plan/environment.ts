import {makeId} from '../seed/make-id.ts';

/** The environment that a site's branches run in. */
export const environmentIdOf = (siteId: string): string => makeId('environment', siteId);
