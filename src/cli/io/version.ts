import packageJson from '../../../package.json' with {type: 'json'};

/** The version of package.json, put into the bundle when it is built. */
export const {version} = packageJson;
