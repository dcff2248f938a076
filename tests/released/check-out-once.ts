/** Prepares the program of a commit in a folder, while the caller holds the folder's lock. */
import { prepareOnce } from './check-out.ts';

const [commit = '', root = ''] = process.argv.slice(2);
prepareOnce(commit, root);
