// What is wrong with a folder or a package, by name: nothing was left behind when it is thrown.

/** Why a folder is not packed, or a package not unpacked. */
export type PackageReason =
  | 'unsafe_path'
  | 'unsupported_entry'
  | 'duplicate_path'
  | 'too_many_entries'
  | 'packed_too_large'
  | 'extracted_too_large'
  | 'changed_while_read'
  | 'empty_folder'
  | 'malformed_archive'
  | 'target_exists';

/** A folder or package that is refused. */
export class PackageError extends Error {
  readonly reason: PackageReason;
  /** The entry's path inside the package; empty when it is about the whole. */
  readonly path: string;

  constructor(reason: PackageReason, path: string, message: string, options?: ErrorOptions) {
    super(path === '' ? message : `${JSON.stringify(path)}: ${message}`, options);
    this.name = 'PackageError';
    this.reason = reason;
    this.path = path;
  }
}
