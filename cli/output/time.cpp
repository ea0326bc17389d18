#include "reprieve/cli/output/time.h"

#include <fmt/format.h>

#include <chrono>

namespace reprieve::cli {

std::string format_time(TimeUs time_us) {
  using namespace std::chrono;
  const sys_time<microseconds> time{microseconds(time_us)};
  const auto day = floor<days>(time);
  const year_month_day date{day};
  const hh_mm_ss clock{time - day};
  const std::string fraction =
      clock.subseconds().count() == 0 ? "" : fmt::format(".{:06}", clock.subseconds().count());
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(), fraction);
}

}  // namespace reprieve::cli
