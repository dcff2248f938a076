/** The result of one check of `doctor`. */

export interface Diagnosis {
  state: 'ok' | 'warn' | 'bad';
  about: string;
  words: string;
  /** The remedy in one sentence; left out if all is well. */ mend?: string;
}

/** Null: the check does not apply here. */
export type Found = Omit<Diagnosis, 'about'> | null;
