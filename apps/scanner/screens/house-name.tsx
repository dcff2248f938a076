/** The theatre's name in one line, after its logo if there is one. */
import type { ShownHouse } from '#apps/scanner/device/house.ts';
import styles from './house-name.module.css';

export function HouseName({ house: { name, logo } }: { house: ShownHouse }) {
  return (
    <p className={styles.house}>
      {logo !== null && <img src={logo} alt="" />}
      <strong>{name}</strong>
    </p>
  );
}
