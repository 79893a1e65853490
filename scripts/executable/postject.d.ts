declare module 'postject' {
  /** Adds a resource to an executable file, in place, and turns the fuse that makes Node look for it. */
  export function inject(
    path: string,
    resource: string,
    bytes: Uint8Array,
    options: {readonly sentinelFuse: string},
  ): Promise<void>;
}
