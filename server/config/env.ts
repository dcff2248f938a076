/** What readers of the environment are handed; all that is wrong is collected in words. */
export type Env = Record<string, string | undefined>;
