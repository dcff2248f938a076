/** What one check of `doctor` finds. */

export interface Diagnosis {
  state: 'ok' | 'warn' | 'bad';
  about: string;
  words: string;
  /** One sentence; left out where all is well. */ mend?: string;
}

/** Null: it does not apply here. */
export type Found = Omit<Diagnosis, 'about'> | null;
