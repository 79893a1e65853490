/** What a user's environment may say to the tools that pack; no package may differ by it. */
export const hostileEnv = {
  ...{TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8', TAR_OPTIONS: '--mode=a+w', GZIP: '-1', XZ_OPT: '-0'},
  ...{XZ_DEFAULTS: '-0', DPKG_DEB_COMPRESSOR_LEVEL: '1', DPKG_DEB_COMPRESSOR_TYPE: 'gzip'},
};
