/** A digital product as the catalog service offers it now. */
export interface OfferedProduct {
  readonly title: string;
  readonly status: 'draft' | 'published' | 'unpublished' | 'archived';
  /** How people get it: `paid`, `free` or `members`. */
  readonly access: string;
  /** Downloads for each person; null = any number. */
  readonly download_limit: number | null;
  /** Seconds that an address for a download lives. */
  readonly link_ttl_s: number;
  readonly files: readonly OfferedFile[];
  /** Id of the member of the staff who made it. */
  readonly created_by: string;
}

/** A file of a digital product. */
export interface OfferedFile {
  readonly file_id: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly type: string;
}

/** Whether members may take it without being given it. */
export const isForAll = ({ status, access }: Pick<OfferedProduct, 'status' | 'access'>): boolean =>
  status === 'published' && access === 'free';

/** How many of the downloads of a person are left, after so many since they last had no access; null = any number. */
export const downloadsLeft = (
  { download_limit }: Pick<OfferedProduct, 'download_limit'>,
  used: number,
): number | null => (download_limit === null ? null : Math.max(0, download_limit - used));
