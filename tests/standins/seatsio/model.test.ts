/** Random histories of the seat map on both databases, a few of each; more are in model.proof.ts. */
import { testModels } from './models.ts';

testModels({ sqlite: 10, postgres: 1, halls: 25 });
