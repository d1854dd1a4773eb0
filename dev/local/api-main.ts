// With the stand-in exchange and the desk.
import { runApi } from '../../api/run.ts';
import { readApiConfig } from '../../config/api.ts';
import { deskExtension, isDeskOffered } from '../desk/desk.ts';
import { productVariables, readLocalService, refusedOnPublicClusters } from './local-service.ts';

await runApi(() => {
  const { exchange, hasDesk, blockEngineAdminUrl } = readLocalService(process.env);
  const config = refusedOnPublicClusters(readApiConfig(productVariables(process.env)));
  const desk = hasDesk && isDeskOffered(config) ? { extension: deskExtension({ blockEngineAdminUrl }) } : {};
  return { config, exchange, ...desk };
});
