import packageJson from '../../../package.json' with {type: 'json'};

/** The version in package.json, inlined when the program is bundled. */
export const {version} = packageJson;
