import {makeId} from '../seed/make-id.ts';

/** Returns the id of the environment of a site's branches. */
export const environmentIdOf = (siteId: string): string => makeId('environment', siteId);
