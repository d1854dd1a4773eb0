import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** So many other files begin between two campaigns. */
const BETWEEN_CAMPAIGNS = 8;

/**
 * Campaigns take longest and are short files, which Vitest would begin last, each beside idle cores; all at the beginning they
 * would be in each other's way. So they are spread over the first files of a run.
 */
export class SpreadCampaigns extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const campaigns = sorted.filter(isCampaign);
    const others = sorted.filter((file) => !isCampaign(file));
    const spread = campaigns.flatMap((campaign, index) => [
      campaign,
      ...others.slice(index * BETWEEN_CAMPAIGNS, (index + 1) * BETWEEN_CAMPAIGNS),
    ]);
    return [...spread, ...others.slice(campaigns.length * BETWEEN_CAMPAIGNS)];
  }
}

function isCampaign({ moduleId }: TestSpecification): boolean {
  return moduleId.includes('/test/campaigns/');
}
