/** The name of the site with its logo: the link to the home page, from every other page. */
import { Link } from 'react-router-dom';
import styles from './brand.module.css';
import { useSite, type Site } from './site.ts';

/** `onPicture`: on a dark ground of its own, so that it is read over any picture. */
export function Brand({ isHome, onPicture }: { isHome: boolean; onPicture: boolean }) {
  const site = useSite();
  const look = onPicture ? `${styles.brand} ${styles.onPicture}` : styles.brand;
  const name = (
    <>
      <Logo of={site.logo} /> <span>{site.name}</span>
    </>
  );
  if (isHome) return <p className={look}>{name}</p>;
  return (
    <Link to="/" className={look}>
      {name}
      <span className="visually-hidden">: tutti gli spettacoli</span>
    </Link>
  );
}

const ours = { url: '', width: 40, height: 40 };

/** As high as a finger; its measures keep its place before it comes. */
function Logo({ of: logo }: { of: Site['logo'] }) {
  const { url, width, height } = logo ?? ours;
  const src = url ? `${url}/320.webp` : '/images/logo.svg';
  return <img className={styles.logo} src={src} alt="" width={width} height={height} />;
}
