import { SignedPaths, isFileId, mediaPaths } from '@lyceum/contracts';
import { isoTime } from '@lyceum/kernel';
import type { FileAddresses } from '@lyceum/web';
import type { ModulePorts } from '../module.ts';

/** Seconds. An address is good for five to six hours, and the same within one: browsers then keep what they have read. */
const [hour, hours] = [3_600, 6];

/** Makes addresses of private files that the media service takes: it has the same keys. */
export function signedFiles({ rootKeys }: Pick<ModulePorts, 'rootKeys'>): FileAddresses {
  const signed = new SignedPaths(rootKeys);
  return {
    addressOf({ school, issuer, at }, { file_id: id, size }, until) {
      if (!isFileId(id)) return undefined;
      const expires =
        until === undefined
          ? (Math.floor(Date.parse(at) / 1_000 / hour) + hours) * hour
          : Math.floor(Date.parse(until) / 1_000);
      const segment = signed.sign({ to: 'read', school, id, size, expires });
      return { url: `${issuer}${mediaPaths.privateFiles}/${segment}`, url_expires_at: isoTime(expires * 1_000) };
    },
  };
}
